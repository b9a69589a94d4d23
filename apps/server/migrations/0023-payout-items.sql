-- `payout_statement_items` decides which commissions a payout line pays: what the line took from each when it was created.

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
