-- To which secrets this database belongs: a value that follows from them, from which nobody learns them. At most one row.
CREATE TABLE instance_secrets (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  derived bytea NOT NULL
);
REVOKE INSERT, UPDATE, DELETE ON instance_secrets FROM tributary_app;
