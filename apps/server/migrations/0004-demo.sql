-- One row from the moment it was decided whether this instance gets demo data; that decision is never made again.
CREATE TABLE demo_seed (
  id boolean PRIMARY KEY CHECK (id),
  decided_at timestamptz NOT NULL,
  -- Null where the instance was in use already, so that nothing was made up.
  program_id integer REFERENCES programs ON DELETE SET NULL
);
