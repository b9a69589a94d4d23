-- Users and workspaces may be in another database than the programs of a workspace (docs/decisions/0043), so no foreign key leads
-- from one to the other. Nothing deletes a user, a workspace or a program.

ALTER TABLE programs DROP CONSTRAINT programs_workspace_id_fkey;
ALTER TABLE partner_users DROP CONSTRAINT partner_users_user_id_fkey;
ALTER TABLE processor_home_programs DROP CONSTRAINT processor_home_programs_workspace_id_fkey;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_workspace_id_fkey;
ALTER TABLE api_keys DROP CONSTRAINT api_keys_program_id_fkey;
ALTER TABLE demo_seed DROP CONSTRAINT demo_seed_program_id_fkey;
