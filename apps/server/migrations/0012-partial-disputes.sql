-- A customer may dispute a part of a payment. In terms of the sale, without tax; null: all of it.
ALTER TABLE disputes ADD COLUMN disputed_cents bigint CHECK (disputed_cents >= 0);
