-- Since when click events are kept whole, where older months were dropped (RETENTION_DAYS). Counts stay, and before that
-- moment they may exceed the events that are left.
CREATE TABLE click_retention (
  id boolean PRIMARY KEY CHECK (id),
  kept_since timestamptz NOT NULL,
  dropped_at timestamptz NOT NULL
);
REVOKE INSERT, UPDATE, DELETE ON click_retention FROM tributary_app;
