-- With this setting, a visitor whose browser sends Global Privacy Control has refused consent.
ALTER TABLE programs ADD COLUMN respect_global_privacy_control boolean NOT NULL DEFAULT false;
