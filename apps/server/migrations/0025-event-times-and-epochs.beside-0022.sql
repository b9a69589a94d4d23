-- When an event was stored, by the database's clock: `occurred_at` is that of a process, which may be wrong. Events that are stored
-- already count from this migration.
ALTER TABLE outbox_events ADD COLUMN inserted_at timestamptz NOT NULL DEFAULT now();

-- Each restore of a program's database. Sequences after `after` belong to the new epoch, although consumers may have had other events
-- with these numbers before (docs/decisions/0038). Before the first restore the epoch is 0.
CREATE TABLE outbox_epochs (
  program_id integer NOT NULL,
  epoch bigint NOT NULL CHECK (epoch > 0),      -- the time of the restore in milliseconds, so no two restores share one
  after bigint NOT NULL,
  PRIMARY KEY (program_id, epoch)
);
