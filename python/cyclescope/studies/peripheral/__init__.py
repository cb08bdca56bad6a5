"""What does a peripheral cost its processor? (Sauer, Gries, Kulkarni and Keutzer)"""
