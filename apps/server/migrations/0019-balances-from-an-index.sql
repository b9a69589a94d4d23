-- Balances are summed from this index alone, in its order, without the lines themselves (money/ledger/ledger.ts, docs/decisions/0020). It
-- stands for the one by partner, so a line is still written to as many indexes as before.
CREATE INDEX ledger_lines_of_account ON ledger_lines (program_id, partner_id, currency, from_account, to_account)
  INCLUDE (available_at, amount_cents);
DROP INDEX ledger_lines_of_partner;

-- What was added since the last vacuum has to be looked up in the table, so that must not be a fifth of it.
ALTER TABLE ledger_lines SET (autovacuum_vacuum_insert_scale_factor = 0.02);
