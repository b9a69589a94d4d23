-- The role that serves requests, and what the instance knows about itself.

-- The service works as this role. It owns no table: it may read and write rows, except where a table below takes a right away.
-- Where the owner may not create roles, an administrator creates this one and grants it to the owner before the first start.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tributary_app') THEN
    CREATE ROLE tributary_app NOLOGIN;
  END IF;
-- Roles are shared by all databases of a server, and another one may be migrating right now.
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
  GRANT tributary_app TO CURRENT_USER;
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'tributary_app', 'MEMBER') THEN RAISE; END IF;
END $$;
DO $$ BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %1$I TO tributary_app;
    ALTER DEFAULT PRIVILEGES IN SCHEMA %1$I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO tributary_app;
    ALTER DEFAULT PRIVILEGES IN SCHEMA %1$I GRANT USAGE ON SEQUENCES TO tributary_app', current_schema());
END $$;

-- The migrator created these before it ran this file. The service only reads which migrations ran.
GRANT SELECT ON kysely_migration, kysely_migration_lock TO tributary_app;

-- Identifies the secrets that this database was created with, without revealing them. At most one row, written by the owner.
CREATE TABLE instance_secrets (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  derived bytea NOT NULL
);
REVOKE INSERT, UPDATE, DELETE ON instance_secrets FROM tributary_app;

-- Written by /readyz: committing is the only way to find out whether the database can commit.
CREATE TABLE readiness (
  id boolean PRIMARY KEY CHECK (id),
  checked_at timestamptz NOT NULL
);
