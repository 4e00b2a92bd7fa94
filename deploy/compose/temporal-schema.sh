#!/bin/sh
# Brings Temporal's two databases to the version of the tool; repeated, it does nothing.
set -eu
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*} schema=${pair##*:}
  sql() { SQL_DATABASE=$database temporal-sql-tool "$@"; }
  update() { sql update-schema --schema-name "postgresql/v12/$schema"; }
  # Only a new database has no version to update from.
  update || { sql setup-schema -v 0.0 && update; }
done
