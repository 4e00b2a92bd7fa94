#!/bin/sh
# Run once by the postgres image on an empty volume: a user and a database for each, which nobody else can open.
set -eu
make() {
  psql -v ON_ERROR_STOP=1 --username postgres <<END
create role "$1" login password '$2' $3;
create database "$1" owner "$1";
revoke connect on database "$1" from public;
END
}
make perch_accounts "$ACCOUNTS_PASSWORD" ""
make perch_credits "$CREDITS_PASSWORD" ""
make perch_media "$MEDIA_PASSWORD" ""
make perch_posts "$POSTS_PASSWORD" ""
make temporal "$TEMPORAL_PASSWORD" createdb
psql -v ON_ERROR_STOP=1 --username postgres -c 'create database temporal_visibility owner temporal'
psql -v ON_ERROR_STOP=1 --username postgres -c 'revoke connect on database temporal_visibility from public'
