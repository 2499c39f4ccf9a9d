-- The least rights for Varve on PostgreSQL, and a second wall between partitions.
--
-- Run it as the role that owns the tables, in the store's database and with the store's schema first in search_path,
-- once the store was made (`varve doctor --store postgres://owner@…` makes it). Run it again after each migration.
-- Afterwards Varve connects as varve_app: it reads and writes rows, makes no tables, and sees the rows of a partition
-- only in a transaction that names it. Give the role a password or a certificate: ALTER ROLE varve_app PASSWORD '…'.

DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'varve_app') THEN
    CREATE ROLE varve_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO varve_app', current_schema());
END $$;

-- Whether a transaction may see a partition. Varve tells its scope with set_config at the beginning of each; NULL, when
-- nobody did, is no row.
DO $$
DECLARE
  tables constant text[] := (
    SELECT array_agg(c.relname::text)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'partition_id' AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      -- The books tell of partitions, and are read for a project or the whole store.
      AND c.relname NOT IN ('journal', 'audit')
  );
  is_store constant text := $scope$current_setting('varve.scope', true) = 'store'$scope$;
  is_seen constant text := $scope$(
    project_id = (SELECT id FROM project WHERE name = current_setting('varve.project', true))
    AND (
      -- What the project shares, with the bank and the facts of it.
      owner_kind % 3 = 2
      -- All of a project, for its own handle.
      OR current_setting('varve.owner_kind', true) = '2'
      -- A user's messages, what was derived from them, and the facts.
      OR ((owner_kind % 3)::text = current_setting('varve.owner_kind', true) AND owner = current_setting('varve.owner', true))
    )
  )$scope$;
  name text;
BEGIN
  ALTER TABLE partition ENABLE ROW LEVEL SECURITY;
  ALTER TABLE partition FORCE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS varve_scope ON partition;
  EXECUTE format('CREATE POLICY varve_scope ON partition USING (%s OR %s)', is_store, is_seen);
  FOREACH name IN ARRAY tables LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('DROP POLICY IF EXISTS varve_scope ON %I', name);
    -- The partitions are looked up once a statement. An array: a plan that looks for one partition stays the same.
    EXECUTE format(
      'CREATE POLICY varve_scope ON %I USING (%s OR partition_id = ANY (ARRAY(SELECT id FROM partition)))', name, is_store
    );
  END LOOP;
END $$;

-- Rows, and no tables: what changes the schema runs as the owner. The parts of a divided table have no policy of their own:
-- rows are reached by the table alone.
DO $$
DECLARE
  name text;
  is_part boolean;
BEGIN
  FOR name, is_part IN
    SELECT c.relname, c.relispartition FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname NOT IN ('schema_migration', 'meta')
  LOOP
    IF is_part THEN
      EXECUTE format('REVOKE ALL ON %I FROM varve_app', name);
    ELSE
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO varve_app', name);
    END IF;
  END LOOP;
  GRANT SELECT ON schema_migration, meta TO varve_app;
  EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO varve_app', current_schema());
END $$;
