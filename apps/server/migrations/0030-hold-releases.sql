-- Commissions whose hold period a member ended early. They are payable from then on, or from the end of the hold period if that is
-- earlier. Append-only, because corrections of a commission read it again.
CREATE TABLE hold_releases (
  program_id integer NOT NULL,
  commission_id bigint NOT NULL,
  held_until timestamptz NOT NULL,              -- when the hold period would have ended
  released_at timestamptz NOT NULL,
  released_by text NOT NULL,                    -- the user; no foreign key, so that accounts stay separate
  PRIMARY KEY (program_id, commission_id),
  FOREIGN KEY (program_id, commission_id) REFERENCES commissions (program_id, id),
  CHECK (released_at < held_until)
);
REVOKE UPDATE, DELETE ON hold_releases FROM tributary_app;
