-- The origins that a program's links may lead to. Empty: anywhere. The first is the default destination.
ALTER TABLE programs ADD COLUMN websites text[] NOT NULL DEFAULT '{}' CHECK (cardinality(websites) <= 20);

-- An archived partner is hidden from lists, and their links are off. Nothing of theirs is deleted.
ALTER TABLE partners ADD COLUMN archived boolean NOT NULL DEFAULT false;

-- Codes that a partner had before. They stay theirs: a code is never given to another partner of the program.
CREATE TABLE partner_former_codes (
  program_id integer NOT NULL,
  code text NOT NULL COLLATE "C",
  partner_id integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (program_id, code),
  FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id)
);
CREATE INDEX partner_former_codes_of_partner ON partner_former_codes (program_id, partner_id);

-- A click may name a code instead of a link, and names no program.
CREATE INDEX partners_by_code ON partners (code);
CREATE INDEX partner_former_codes_by_code ON partner_former_codes (code);

-- Not unique: partners who share an address already keep it. New duplicates are refused under a lock (partners/partners.ts).
CREATE INDEX partners_by_email ON partners (program_id, lower(email));

-- Members and invitations belong to a workspace, so an entry is about a program or about a workspace.
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_pkey;
ALTER TABLE audit_entries
  ADD PRIMARY KEY (id),
  ALTER COLUMN program_id DROP NOT NULL,
  ADD COLUMN workspace_id text REFERENCES workspaces,
  ADD COLUMN by_partner_id integer, -- the partner who made the change in the portal
  ADD CHECK (num_nonnulls(program_id, workspace_id) = 1);
CREATE INDEX audit_entries_of_program ON audit_entries (program_id, id);
CREATE INDEX audit_entries_of_workspace ON audit_entries (workspace_id, id);
