-- Users, workspaces and programs are in one database again (docs/decisions/0043), so the foreign keys between them return. Rows that
-- lead nowhere must not stop an upgrade: they can come only from statements outside the service, which deletes none of the three.

-- Programs and audit entries are kept in any case: an unknown workspace gets a row, without members.
INSERT INTO workspaces (id, name, slug)
  SELECT missing.workspace_id, 'Recovered workspace', gen_random_uuid()::text FROM (
    SELECT workspace_id FROM programs
    UNION SELECT workspace_id FROM processor_home_programs
    UNION SELECT workspace_id FROM audit_entries WHERE workspace_id IS NOT NULL) missing
  WHERE NOT EXISTS (SELECT FROM workspaces WHERE workspaces.id = missing.workspace_id);
-- These open nothing without what they lead to.
DELETE FROM partner_users WHERE NOT EXISTS (SELECT FROM users WHERE users.id = partner_users.user_id);
DELETE FROM api_keys WHERE NOT EXISTS (SELECT FROM programs WHERE programs.id = api_keys.program_id);
DELETE FROM partner_codes code WHERE NOT EXISTS (
  SELECT FROM partners WHERE (partners.program_id, partners.id) = (code.program_id, code.partner_id));
UPDATE demo_seed SET program_id = NULL WHERE NOT EXISTS (SELECT FROM programs WHERE programs.id = demo_seed.program_id);

-- Checked at once: no other version runs beside this migration, and none of these tables grows with clicks or money.
ALTER TABLE programs ADD FOREIGN KEY (workspace_id) REFERENCES workspaces;
ALTER TABLE processor_home_programs ADD FOREIGN KEY (workspace_id) REFERENCES workspaces;
ALTER TABLE audit_entries ADD FOREIGN KEY (workspace_id) REFERENCES workspaces;
ALTER TABLE partner_users ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
ALTER TABLE api_keys ADD FOREIGN KEY (program_id) REFERENCES programs;
ALTER TABLE demo_seed ADD FOREIGN KEY (program_id) REFERENCES programs ON DELETE SET NULL;
ALTER TABLE partner_codes ADD FOREIGN KEY (program_id, partner_id) REFERENCES partners (program_id, id);

-- Links and sign-ins are found in their own tables.
CREATE INDEX referral_links_in_any_case ON referral_links (lower(aff));
DROP TABLE link_names, partner_sign_ins;
