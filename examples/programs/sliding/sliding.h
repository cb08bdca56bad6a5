/* Matches in the last 4,096 bytes, of 3 to 18 bytes (Storer and Szymanski, 1982). */
enum { WINDOW = 4096, LEAST = 3, MOST = 18 };
