"""Serial lines of virtual boards from outside: their peers on the host, recorded and replayed."""
