import { pageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { setUp } from '../tracking/set-up.ts'
import { changeProgramRequest, createProgramRequest, program } from './programs.ts'

const LIST = '/api/programs'
const ONE = `${LIST}/{programId}` as const

export const PROGRAMS = operations({
  create: {
    method: 'post',
    path: LIST,
    permission: 'program:create',
    summary: 'Create a program',
    description: 'Creates a program in a workspace. Without `reward`, leads and sales are tracked but earn nothing.',
    request: createProgramRequest,
    example: {
      name: 'Acme partners',
      currency: 'USD',
      timezone: 'Europe/Berlin',
      reward: { sale: { percentBps: 2000, duration: 'lifetime' } },
    },
    status: 201,
    answer: program,
    errors: ['invalid_currency'],
  },
  list: {
    method: 'get',
    path: LIST,
    summary: 'List programs',
    description: 'Lists the programs of every workspace the signed-in user belongs to.',
    query: pageQuery,
    list: program,
  },
  get: {
    method: 'get',
    path: ONE,
    permission: 'program:read',
    summary: 'Get a program',
    description: "Returns a program's settings and its current reward terms.",
    answer: program,
  },
  change: {
    method: 'patch',
    path: ONE,
    permission: 'program:update',
    summary: 'Update a program',
    description:
      'Changes the given settings and leaves the others alone. Settings that affect commissions also require `payout:manage`; `leadAuth` also requires `key:manage`.',
    request: changeProgramRequest,
    example: { cookieWindowDays: 90 },
    answer: program,
    errors: ['conflict'],
  },
})

export const SET_UP = operations({
  get: {
    method: 'get',
    path: `${ONE}/set-up`,
    permission: 'tracking:read',
    summary: 'Get setup progress',
    description:
      "Lists the setup steps of the dashboard's setup page. A tracking step is done once a real or test event arrives from your site, server or payment processor; checks made by the dashboard do not count. Sales of the other payment tracking mode complete their step if a partner was credited.",
    answer: setUp,
  },
})
