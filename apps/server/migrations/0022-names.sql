-- Names that lead to a program before it is known, in the directory (docs/decisions/0043). A row is written before what it
-- names and never deleted: the directory may lead to a program too many, never to one too few.

-- The program of a link. A click knows only the link's `aff`.
CREATE TABLE link_names (
  aff text PRIMARY KEY COLLATE "C",
  program_id integer NOT NULL
);

-- Who has or had a code, and since when: a click's `aff` may be a code too. Several programs may have the same one.
CREATE TABLE partner_codes (
  code text NOT NULL COLLATE "C",
  program_id integer NOT NULL,
  partner_id integer NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (code, program_id)
);

-- The programs in which a user may sign in as a partner; `partner_users` says whether and as whom.
CREATE TABLE partner_sign_ins (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  program_id integer NOT NULL,
  PRIMARY KEY (user_id, program_id)
);

INSERT INTO link_names SELECT aff, program_id FROM referral_links WHERE program_id IS NOT NULL;
INSERT INTO partner_codes
  SELECT partner.code, partner.program_id, partner.id, greatest(partner.created_at, (
    SELECT max(former.created_at) FROM partner_former_codes former
    WHERE former.program_id = partner.program_id AND former.partner_id = partner.id))
  FROM partners partner
  UNION ALL SELECT code, program_id, partner_id, created_at FROM partner_former_codes;
INSERT INTO partner_sign_ins SELECT user_id, program_id FROM partner_users JOIN users ON users.id = user_id;

DROP INDEX partners_by_code;
DROP INDEX partner_former_codes_by_code;
