"""Runs statements on the ClickHouse in this process, as one node that has all rows.

Standard input is a JSON document: statements that make the tables, files with rows of each, and selects.
Standard output is the list of what the selects gave, as text.
"""

import json
import sys

from chdb import session

work = json.load(sys.stdin)
here = session.Session()
for statement in work["make"]:
    here.query(statement)
for table, structure, path in work["rows"]:
    here.query(f"INSERT INTO {table} SELECT * FROM file('{path}', 'RowBinary', '{structure}')")
json.dump([here.query(select, "TabSeparated").bytes().decode("latin-1") for select in work["selects"]], sys.stdout)
