import { expect, test } from 'bun:test'
import { pageCacheMb } from '../src/database/embedded/postmaster.ts'

const GB = 2 ** 30

test.each([
  [0.5, 128],
  [2, 128],
  [4, 256],
  [8, 512],
  [16, 1_024],
  [64, 1_024],
])('on a machine with %d GB Postgres gets %d MB of shared buffers', (gigabytes, megabytes) => {
  expect(pageCacheMb(gigabytes * GB)).toBe(megabytes)
})

test('without a memory limit it is a share of the machine', () => {
  expect(pageCacheMb(2 ** 64)).toBe(1_024)
  expect(pageCacheMb()).toBeGreaterThanOrEqual(128)
})
