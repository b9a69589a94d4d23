import { operations } from '../openapi/declaration.ts'
import { backtest, backtestRequest } from './backtest.ts'
import {
  changedReward,
  earlierEvents,
  rewardInEffect,
  rewardPreview,
  rewardPreviewRequest,
  rewardRequest,
} from './rewards.ts'
import { rewardSalePreview, rewardSalePreviewRequest } from './rules/reward-sale-preview.ts'

/** The reward terms of a program. */
export const REWARDS = operations({
  get: {
    method: 'get',
    path: '/api/programs/{programId}/reward',
    permission: 'program:read',
    summary: 'Get the reward terms',
    description:
      'Returns the reward terms in effect: what the program pays per lead and per sale, the hold period and the minimum payout.',
    answer: rewardInEffect,
  },
  set: {
    method: 'put',
    path: '/api/programs/{programId}/reward',
    permission: 'payout:manage',
    summary: 'Set the reward terms',
    description:
      "Creates a new version of the reward terms, effective immediately. A sale pays a percentage or a flat amount, or by a list of rules, of which the first that matches decides for each item of the sale. `warnings` lists rules and stages that can never pay. Commissions that were already earned keep their version. Use `replaces` to avoid overwriting someone else's change.",
    request: rewardRequest,
    example: { sale: { percentBps: 2000, duration: 'months', months: 12 }, holdDays: 30 },
    answer: changedReward,
    errors: ['invalid_currency', 'conflict'],
  },
  earlier: {
    method: 'get',
    path: '/api/programs/{programId}/reward/earlier',
    permission: 'program:read',
    summary: 'Get unrewarded events',
    description:
      'Counts the leads and sales that earned nothing because the program had no reward terms yet, and shows the progress if the first terms are being applied to them.',
    answer: earlierEvents,
  },
  preview: {
    method: 'post',
    path: '/api/programs/{programId}/reward/preview',
    permission: 'program:read',
    summary: 'Preview a reward',
    description:
      'Calculates what a lead, a first sale and 24 monthly payments would earn under the given terms. Nothing is saved.',
    request: rewardPreviewRequest,
    example: {
      reward: { sale: { percentBps: 2000, duration: 'lifetime' } },
      amountCents: 4900,
    },
    answer: rewardPreview,
  },
  previewSale: {
    method: 'post',
    path: '/api/programs/{programId}/reward/preview-sale',
    permission: 'commission:read',
    summary: 'Preview a reward on a sale',
    description:
      'Calculates what a real sale would earn under the given terms, as it was sold: with its items, the earlier sales of its customer and the country of the click. Shows which rule matches each item, and why earlier rules do not. Without `saleId` or `example`, the most recent credited sale is used, or an example if there is none. Nothing is saved.',
    request: rewardSalePreviewRequest,
    example: {
      reward: {
        sale: {
          rules: [
            { when: { products: ['prod_addon'] }, pays: [] },
            { pays: [{ months: 12, percentBps: 3000 }, { percentBps: 1000 }] },
          ],
        },
      },
    },
    answer: rewardSalePreview,
    errors: ['not_found'],
  },
})

/** Custom terms of partners. */
export const PARTNER_REWARDS = operations({
  get: {
    method: 'get',
    path: '/api/programs/{programId}/partners/{partnerId}/reward',
    permission: 'program:read',
    summary: "Get a partner's reward terms",
    description: "Returns the partner's custom terms, or their group's terms if the partner has none (`own` is false).",
    answer: rewardInEffect,
  },
  set: {
    method: 'put',
    path: '/api/programs/{programId}/partners/{partnerId}/reward',
    permission: 'payout:manage',
    summary: 'Set custom reward terms',
    description: "Gives one partner custom terms that replace their group's, effective immediately.",
    request: rewardRequest,
    example: { sale: { percentBps: 3000, duration: 'lifetime' } },
    answer: rewardInEffect,
    errors: ['invalid_currency', 'conflict'],
  },
  remove: {
    method: 'delete',
    path: '/api/programs/{programId}/partners/{partnerId}/reward',
    permission: 'payout:manage',
    summary: 'Remove custom reward terms',
    description: "Returns the partner to their group's reward terms, effective immediately.",
    answer: rewardInEffect,
  },
})

export const BACKTESTS = operations({
  compare: {
    method: 'post',
    path: '/api/programs/{programId}/reward/backtest',
    permission: 'commission:read',
    summary: 'Backtest reward terms',
    description:
      'Compares what partners earned in a period with what they would have earned under other terms. The terms replace those of the default group or, with `groupId`, of that group; partners with custom terms keep them. Nothing is saved. Send `Accept: text/event-stream` to receive progress while it runs.',
    request: backtestRequest,
    example: {
      terms: { sale: { percentBps: 3000, duration: 'months', months: 12 } },
      from: '2026-08-01',
      to: '2026-10-31',
    },
    answer: backtest,
    stream: true,
    errors: ['invalid_currency', 'not_found'],
  },
})
