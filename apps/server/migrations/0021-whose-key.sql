-- A customer is found by their key from the table of keys, and no index of `customers` has a column that a sign-up changes: the
-- visitor's record, one of millions and long out of memory, is then changed where it lies, and nothing else with it
-- (docs/decisions/0016). `customers.customer_key` says the same from the other side, and both are written by one statement.
ALTER TABLE customer_keys ADD COLUMN click_id text COLLATE "C"; -- null while only a sale has named the key
ALTER TABLE customer_keys SET (fillfactor = 50); -- each row is changed once, soon after it was made

INSERT INTO customer_keys (program_id, customer_key, click_id)
  SELECT program_id, customer_key, click_id FROM customers WHERE customer_key IS NOT NULL
  ON CONFLICT (program_id, customer_key) DO UPDATE SET click_id = excluded.click_id;

DROP INDEX customers_by_key;
-- Those who signed up are found by their leads.
DROP INDEX customers_known;
