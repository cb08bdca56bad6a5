"""Is a set of periodic tasks feasible at each operating point, and which costs least?"""
