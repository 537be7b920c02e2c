"""Loads logs into a fresh database with DuckDB and says what that took, without Python's start.

duck.py DATABASE THREADS FILE… prints one JSON object; the database :memory: is in memory.
"""

import json
import resource
import sys
import time

import duckdb


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    database, threads, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    wall, before = time.perf_counter(), cpu()
    connection = duckdb.connect(database)
    connection.execute(f"set threads = {threads}")
    # It takes the columns of one file from its first records; here others have more.
    sample = ", sample_size = -1" if len(files) == 1 else ""
    connection.execute(f"create table verdicts as select * from read_json(?{sample})", [files])
    if database != ":memory:":
        # Closing is what writes the file.
        connection.close()
    took = {"wall": time.perf_counter() - wall, "cpu": cpu() - before}
    if database != ":memory:":
        connection = duckdb.connect(database, read_only=True)
    (took["records"],) = connection.execute("select count(*) from verdicts").fetchone()
    took["version"] = duckdb.__version__
    print(json.dumps(took))


main()
