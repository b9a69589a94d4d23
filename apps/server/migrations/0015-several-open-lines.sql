-- What becomes payable while a payout is open need not wait for it: a partner may be in several open payouts. That no two of
-- them pay the same is decided by the lock of the partner's account, under which the balance moves into the line.
DROP INDEX payout_lines_one_open;
CREATE INDEX payout_lines_open ON payout_lines (program_id) WHERE status = 'open';
