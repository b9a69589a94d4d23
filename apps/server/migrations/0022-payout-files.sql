-- The highest amount any file of the line has said. A later, smaller file does not lower it: the first may have been paid.
COMMENT ON COLUMN payout_lines.exported_cents IS 'highest amount in any exported file';

ALTER TABLE payout_lines
  -- The payment file that the line was exported in. It is in no file of another method until a person resets it.
  ADD COLUMN file_method text CHECK (file_method IN ('paypal', 'wise')),
  ADD COLUMN file_account text, -- the account in that file
  -- What the person who marked the line paid said about the payment.
  ADD COLUMN reference text,
  ADD COLUMN paid_on date,
  ADD CHECK ((file_method IS NULL) = (file_account IS NULL)),
  ADD CHECK (status = 'paid' OR (reference IS NULL AND paid_on IS NULL));

-- Since when a partner's payout destination is new, and until when payment files leave the partner out.
CREATE TABLE partner_destination_holds (
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  changed_at timestamptz NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (program_id, partner_id),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
