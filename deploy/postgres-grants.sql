-- What a house may do, run as pairhouse_owner after `pairhouse migrate`, and again after each upgrade:
--     psql --dbname=house --username=pairhouse_owner --file=deploy/postgres-grants.sql
-- What is sealed can be added to and read, never altered or removed; no table can be made, changed or emptied.
-- tests/operations/test_roles.py compares these rights with every statement of the house.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM pairhouse_house;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO pairhouse_house;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO pairhouse_house; -- pg_dump reads them

-- Only added to: the sealed events, the money, what players did, and the signed log.
GRANT INSERT ON events, transfers, acts, seated, runs, nodes, heads, epochs, exclusions, live_entries
    TO pairhouse_house;

-- Added to; of each row only what changes in the course of play.
GRANT INSERT, UPDATE (staked, state, returned, closed_at, log, result) ON rounds TO pairhouse_house;
GRANT INSERT, UPDATE (nonce, client_seed, revealed_at, dealt_at) ON streams TO pairhouse_house;
GRANT INSERT, UPDATE (dealt, last_round, finished) ON shoes TO pairhouse_house;
GRANT INSERT, UPDATE (balance) ON accounts TO pairhouse_house;
GRANT INSERT, UPDATE (name, guest, password, status, failures, failed_at, locked_until) ON players TO pairhouse_house;
GRANT INSERT, UPDATE (revoked_at) ON api_keys TO pairhouse_house;
GRANT INSERT, UPDATE (status) ON staff TO pairhouse_house;
GRANT INSERT ON corrections TO pairhouse_house;
GRANT INSERT, UPDATE (status) ON games TO pairhouse_house;
GRANT INSERT, UPDATE (version, name, options, limits, advice, status, shuffle, round_ms_min) ON tables TO pairhouse_house;
GRANT INSERT, UPDATE (amount, reserve) ON meters TO pairhouse_house;
GRANT INSERT, UPDATE (number) ON ties TO pairhouse_house;
GRANT INSERT, UPDATE (number, hash, signature) ON chain_ends TO pairhouse_house;
GRANT UPDATE (public_key, size, edge, holder, held_until) ON signed_log TO pairhouse_house;
GRANT UPDATE (text) ON heads TO pairhouse_house; -- witnesses add their signatures
GRANT INSERT, UPDATE (state, attempts, next_at) ON calls TO pairhouse_house;
GRANT INSERT, UPDATE (balance, at) ON purses TO pairhouse_house;
GRANT INSERT, UPDATE (settings, counters, reminded_at, last_round_at) ON care TO pairhouse_house;
GRANT INSERT, UPDATE (revision, read_to, at) ON watch_cursor TO pairhouse_house;
GRANT INSERT, UPDATE (lifted_at, lifted_by) ON watch_steps TO pairhouse_house;
GRANT INSERT, UPDATE (settings, number, digest, round_id, round_from, dealer, fence, held_until) ON live_tables TO pairhouse_house;
GRANT INSERT, UPDATE (state, closed_at, server_seed, client_seeds) ON live_rounds TO pairhouse_house;
GRANT INSERT, UPDATE (remaining, withdrawn_at) ON free_bets TO pairhouse_house;
GRANT INSERT, UPDATE (given_back, not_paid) ON free_stakes TO pairhouse_house;

-- Kept for a while only.
GRANT INSERT, DELETE, UPDATE (seen_at) ON sessions TO pairhouse_house;
GRANT INSERT, DELETE ON staff_sessions TO pairhouse_house;
GRANT INSERT, DELETE ON sittings, restrictions, watch_records TO pairhouse_house;
GRANT INSERT, DELETE, UPDATE (leaves) ON live_seats TO pairhouse_house;
GRANT INSERT, DELETE, UPDATE (staked, decided, returned) ON live_slips TO pairhouse_house; -- a bet can be taken back
GRANT INSERT, DELETE, UPDATE (at) ON pulses TO pairhouse_house; -- which houses are alive
