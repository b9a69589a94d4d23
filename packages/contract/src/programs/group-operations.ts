import { answerOf, listOf, optionalPageQuery } from '../lists.ts'
import { changedReward, reward, rewardRequest } from '../money/rewards.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { changeGroupRequest, createGroupRequest, group, movedPartners, movePartnersRequest } from './groups.ts'

const GROUPS = '/api/programs/{programId}/groups'
const GROUP = `${GROUPS}/{groupId}`

/** Partner groups, their reward terms and who is in them. */
export const GROUP_OPERATIONS: Operation[] = [
  {
    method: 'get',
    path: GROUPS,
    caller: 'session',
    permission: 'program:read',
    summary: 'List groups',
    description: "Lists the program's partner groups with their reward terms and tier rules, the default group first.",
    query: optionalPageQuery,
    answers: [listOf(group)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    method: 'post',
    path: GROUPS,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Create a group',
    description: "Creates an empty group. Until it has its own reward terms, the default group's apply.",
    request: createGroupRequest,
    status: 201,
    answers: [answerOf(group)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  {
    method: 'get',
    path: GROUP,
    caller: 'session',
    permission: 'program:read',
    summary: 'Get a group',
    description: 'Returns a group with its reward terms and tier rule.',
    answers: [answerOf(group)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    method: 'patch',
    path: GROUP,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Update a group',
    description: 'Changes the given fields. A null `tierRule` removes the rule.',
    request: changeGroupRequest,
    answers: [answerOf(group)],
    refusals: [...bodyErrors, ...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'delete',
    path: GROUP,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Delete a group',
    description:
      'Deletes an empty group. The default group, a group with partners (archived ones included) and a group that a tier rule moves partners to cannot be deleted.',
    answers: [answerOf(group)],
    refusals: [...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'get',
    path: `${GROUP}/reward`,
    caller: 'session',
    permission: 'program:read',
    summary: "Get a group's reward terms",
    description: "Returns the group's own terms, or the default group's if it has none.",
    answers: [answerOf(reward)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    method: 'put',
    path: `${GROUP}/reward`,
    caller: 'session',
    permission: 'payout:manage',
    summary: "Set a group's reward terms",
    description:
      "Creates a new version, effective immediately. For the default group this is the same as setting the program's terms. Partners with custom terms keep them.",
    request: rewardRequest,
    answers: [answerOf(changedReward)],
    refusals: [...bodyErrors, 'invalid_currency', ...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'delete',
    path: `${GROUP}/reward`,
    caller: 'session',
    permission: 'payout:manage',
    summary: "Remove a group's reward terms",
    description: "Returns the group to the default group's reward terms, effective immediately.",
    answers: [answerOf(reward)],
    refusals: [...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'post',
    path: `${GROUP}/partners`,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Move partners to a group',
    description:
      'Moves up to 500 partners, all or none, effective immediately. Leads and sales from before the move keep the terms of the old group.',
    request: movePartnersRequest,
    answers: [answerOf(movedPartners)],
    refusals: [...bodyErrors, ...programErrors, 'not_found'],
  },
]
