-- `payout_statement_items` decides which commissions a payout line pays: what the line took from each when it was created.

-- Payout lines made before statements existed have no items. Adds them in the order of the reservations, by the rule of
-- money/payouts/statements.ts, and again for later lines of the same accounts, whose items began with the balance brought forward.
CREATE TEMP TABLE incomplete_accounts ON COMMIT DROP AS
  SELECT DISTINCT program_id, partner_id, currency FROM payout_lines line
  WHERE NOT EXISTS (
    SELECT FROM payout_statement_items item WHERE item.program_id = line.program_id AND item.payout_line_id = line.id);
DELETE FROM payout_statement_items item USING payout_lines line JOIN incomplete_accounts USING (program_id, partner_id, currency)
  WHERE item.program_id = line.program_id AND item.payout_line_id = line.id;
DO $$
DECLARE
  reserved record;
BEGIN
  FOR reserved IN
    SELECT line.*, payout.cutoff_at, entry.id AS entry_id
    FROM incomplete_accounts JOIN payout_lines line USING (program_id, partner_id, currency)
    JOIN payouts payout ON payout.program_id = line.program_id AND payout.id = line.payout_id
    JOIN ledger_lines entry ON entry.program_id = line.program_id AND entry.payout_line_id = line.id AND entry.to_account = 'batched'
    ORDER BY entry.id
  LOOP
    INSERT INTO payout_statement_items (program_id, payout_line_id, commission_id, amount_cents, earned_at)
    WITH earlier AS (
      SELECT line.id, line.status = 'failed' AND (
        SELECT max(entry.id) FROM ledger_lines entry
        WHERE entry.program_id = line.program_id AND entry.payout_line_id = line.id AND entry.from_account = 'batched') < reserved.entry_id
        AS had_failed
      FROM payout_lines line
      WHERE line.program_id = reserved.program_id AND line.partner_id = reserved.partner_id AND line.currency = reserved.currency
    ), part AS (
      SELECT commission_id, CASE to_account WHEN 'earned' THEN amount_cents ELSE -amount_cents END AS cents FROM ledger_lines
      WHERE program_id = reserved.program_id AND partner_id = reserved.partner_id AND currency = reserved.currency
        AND id < reserved.entry_id AND available_at <= reserved.cutoff_at
        AND 'earned' IN (from_account, to_account) AND commission_id IS NOT NULL
      UNION ALL
      SELECT item.commission_id, -item.amount_cents FROM earlier
      JOIN payout_statement_items item ON item.program_id = reserved.program_id AND item.payout_line_id = earlier.id
      WHERE NOT had_failed
      UNION ALL
      SELECT reversed.commission_id, -reversed.amount_cents FROM earlier
      JOIN ledger_lines reversed ON reversed.program_id = reserved.program_id AND reversed.payout_line_id = earlier.id
        AND reversed.from_account = 'batched' AND reversed.commission_id IS NOT NULL
      WHERE had_failed
    )
    SELECT commission.program_id, reserved.id, commission.id, sum(part.cents), commission.earned_at
    FROM part JOIN commissions commission ON commission.program_id = reserved.program_id AND commission.id = part.commission_id
    GROUP BY commission.program_id, commission.id HAVING sum(part.cents) <> 0;
  END LOOP;
END $$;

-- A commission that a failed payout had returned could be missing from the list of the next one, so that a refund did not reduce it.
INSERT INTO payout_commissions (program_id, payout_line_id, commission_id)
  SELECT item.program_id, item.payout_line_id, item.commission_id FROM payout_lines line
  JOIN payout_statement_items item ON item.program_id = line.program_id AND item.payout_line_id = line.id AND item.amount_cents > 0
  WHERE line.status = 'open' AND NOT EXISTS (
    -- A disputed commission has left the line.
    SELECT FROM ledger_lines disputed
    WHERE disputed.program_id = item.program_id AND disputed.payout_line_id = item.payout_line_id
      AND disputed.commission_id = item.commission_id AND disputed.to_account = 'disputed')
  ON CONFLICT DO NOTHING;
