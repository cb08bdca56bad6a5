"""What does a context switch cost, by three ways? (Pillai and Isha)"""
