-- The roles of PostgreSQL, run once as a superuser in the database of the house:
--     psql --dbname=house --file=deploy/postgres-roles.sql
-- pairhouse_owner owns the tables: `pairhouse migrate`, `restore` and `rekey` run as it.
-- pairhouse_house is what a house runs as: it can add to what is sealed and not alter it (postgres-grants.sql).
-- Give both a password with \password, or let them in by peer or certificate (pg_hba.conf).
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pairhouse_owner') THEN
        CREATE ROLE pairhouse_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pairhouse_house') THEN
        CREATE ROLE pairhouse_house LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 100;
    END IF;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO pairhouse_owner, pairhouse_house', current_database());
END
$$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO pairhouse_owner;
GRANT USAGE ON SCHEMA public TO pairhouse_house;
