-- Terms are read by owner: a partner's, a group's or the program's, the latest version first.
CREATE INDEX reward_terms_by_owner ON reward_terms (program_id, partner_id, group_id, version DESC);
CREATE INDEX reward_terms_limited ON reward_terms (program_id) WHERE sale_duration IN ('first', 'months');
-- The check that tells partners about changed terms reads the moves of the last days.
CREATE INDEX partner_group_changes_by_age ON partner_group_changes (valid_from);
