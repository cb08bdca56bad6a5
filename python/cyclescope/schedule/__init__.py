"""Sets of periodic tasks on one core: schedules, costs of switches, operating points."""
