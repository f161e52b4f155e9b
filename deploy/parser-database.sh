#!/bin/sh
# Makes the parser's own database, whose account can read no other. The image of PostgreSQL runs it when
# its folder is empty; run it once by hand on a server that is there already:
#   PARSER_DATABASE_PASSWORD=… POSTGRES_USER=parlance POSTGRES_DB=parlance deploy/parser-database.sh
set -eu
: "${PARSER_DATABASE_PASSWORD:?set it}"
psql -v ON_ERROR_STOP=1 -v password="$PARSER_DATABASE_PASSWORD" -v main="$POSTGRES_DB" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role parser login password :'password';
create database parser owner parser;
revoke connect, temporary on database :"main" from public;
revoke connect, temporary on database parser from public;
SQL
