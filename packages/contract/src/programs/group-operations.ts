import { optionalPageQuery } from '../lists.ts'
import { changedReward, rewardInEffect, rewardRequest } from '../money/rewards.ts'
import { operations } from '../openapi/declaration.ts'
import { changeGroupRequest, createGroupRequest, group, movedPartners, movePartnersRequest } from './groups.ts'

const LIST = '/api/programs/{programId}/groups'
const ONE = `${LIST}/{groupId}` as const

/** Partner groups. Changing one decides what partners are paid, so it requires the same permission as reward terms. */
export const GROUPS = operations({
  list: {
    method: 'get',
    path: LIST,
    permission: 'program:read',
    summary: 'List groups',
    description: "Lists the program's partner groups with their reward terms and tier rules, the default group first.",
    query: optionalPageQuery,
    list: group,
  },
  create: {
    method: 'post',
    path: LIST,
    permission: 'payout:manage',
    summary: 'Create a group',
    description: "Creates an empty group. Until it has its own reward terms, the default group's apply.",
    request: createGroupRequest,
    example: {
      name: 'Gold',
      landingPages: ['https://shop.example/partners'],
      tierRule: { after: { sales: 50 }, within: 'quarter', moveTo: 3 },
    },
    status: 201,
    answer: group,
    errors: ['conflict'],
  },
  get: {
    method: 'get',
    path: ONE,
    permission: 'program:read',
    summary: 'Get a group',
    description: 'Returns a group with its reward terms and tier rule.',
    answer: group,
  },
  change: {
    method: 'patch',
    path: ONE,
    permission: 'payout:manage',
    summary: 'Update a group',
    description: 'Changes the given fields. A null `tierRule` removes the rule.',
    request: changeGroupRequest,
    example: {
      tierRule: { after: { amountCents: 500000, currency: 'USD' }, within: 'year', moveTo: 3 },
    },
    answer: group,
    errors: ['conflict'],
  },
  remove: {
    method: 'delete',
    path: ONE,
    permission: 'payout:manage',
    summary: 'Delete a group',
    description:
      'Deletes an empty group. The default group, a group with partners (archived ones included) and a group that a tier rule moves partners to cannot be deleted.',
    answer: group,
    errors: ['conflict'],
  },
})

/** The default group's are the program's. */
export const GROUP_REWARDS = operations({
  get: {
    method: 'get',
    path: `${ONE}/reward`,
    permission: 'program:read',
    summary: "Get a group's reward terms",
    description: "Returns the group's own terms, or the default group's if it has none.",
    answer: rewardInEffect,
  },
  set: {
    method: 'put',
    path: `${ONE}/reward`,
    permission: 'payout:manage',
    summary: "Set a group's reward terms",
    description:
      "Creates a new version, effective immediately. For the default group this is the same as setting the program's terms. Partners with custom terms keep them.",
    request: rewardRequest,
    example: { sale: { percentBps: 3000, duration: 'lifetime' } },
    answer: changedReward,
    errors: ['invalid_currency', 'conflict'],
  },
  remove: {
    method: 'delete',
    path: `${ONE}/reward`,
    permission: 'payout:manage',
    summary: "Remove a group's reward terms",
    description: "Returns the group to the default group's reward terms, effective immediately.",
    answer: rewardInEffect,
    errors: ['conflict'],
  },
})

export const GROUP_MEMBERS = operations({
  move: {
    method: 'post',
    path: `${ONE}/partners`,
    permission: 'payout:manage',
    summary: 'Move partners to a group',
    description:
      'Moves up to 500 partners, all or none, effective immediately. Leads and sales from before the move keep the terms of the old group.',
    request: movePartnersRequest,
    example: { partnerIds: [1, 2] },
    answer: movedPartners,
  },
})
