-- A statement that was reissued because legal details were added or changed later. The first version is in `payout_statements`. All
-- versions have the items of the payout line, so their amounts are equal.
CREATE TABLE payout_statement_versions (
  program_id integer NOT NULL,
  number integer NOT NULL,
  version integer NOT NULL CHECK (version > 1),
  issued_at timestamptz NOT NULL,
  merchant jsonb,
  partner jsonb,
  self_billing boolean NOT NULL,
  PRIMARY KEY (program_id, number, version),
  FOREIGN KEY (program_id, number) REFERENCES payout_statements (program_id, number)
);
REVOKE UPDATE, DELETE ON payout_statement_versions FROM tributary_app;
