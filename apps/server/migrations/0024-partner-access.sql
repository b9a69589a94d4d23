-- The portal shows a partner how their own access changed. Without this it would read the whole log of the program.
CREATE INDEX audit_entries_of_subject ON audit_entries (program_id, subject, id);

-- The link was sent by mail and shown to nobody, so whoever opens it can read that address.
ALTER TABLE partner_invitations ADD COLUMN only_mailed boolean NOT NULL DEFAULT false;
