#!/bin/sh
# Prints an env file with new secrets for deploy/compose.yaml:  sh deploy/compose/secrets.sh > deploy/.env
set -eu
umask 077
hex() { openssl rand -hex 24; }
key() { printf 'k1:%s' "$(openssl rand -base64 32)"; }
cat <<END
POSTGRES_PASSWORD=$(hex)
ACCOUNTS_PASSWORD=$(hex)
CREDITS_PASSWORD=$(hex)
MEDIA_PASSWORD=$(hex)
POSTS_PASSWORD=$(hex)
TEMPORAL_PASSWORD=$(hex)
NATS_TOKEN=$(hex)
PERCH_TOKEN_KEYS=$(key)
PERCH_WEBHOOK_KEYS=$(key)
PERCH_MEDIA_SECRET=$(hex)
END
