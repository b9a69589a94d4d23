-- Notes on payouts, scheduled drafts, legal details and statements.

ALTER TABLE payouts
  ADD COLUMN note text,
  ADD COLUMN reference text;
ALTER TABLE payout_lines
  ADD COLUMN note text;                         -- entered by the member who marked the line paid or failed
