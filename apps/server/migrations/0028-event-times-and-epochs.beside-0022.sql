-- When an event was stored, by the database's clock: `occurred_at` is that of a process, which may be wrong. Events that are stored
-- already count from this migration.
ALTER TABLE outbox_events ADD COLUMN inserted_at timestamptz NOT NULL DEFAULT now();
