-- An owner can open the portal as a partner, read-only. The view belongs to the owner's own session and ends with it.

ALTER TABLE sessions
  ADD COLUMN viewed_program_id bigint,
  ADD COLUMN viewed_partner_id bigint,
  ADD COLUMN view_ends_at timestamptz,
  ADD CONSTRAINT sessions_whole_view CHECK (num_nulls(viewed_program_id, viewed_partner_id, view_ends_at) IN (0, 3));
