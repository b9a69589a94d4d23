import { operations } from '../openapi/declaration.ts'
import {
  apiKey,
  apiKeysQuery,
  createApiKeyRequest,
  createdApiKey,
  rotateApiKeyRequest,
  rotatedApiKey,
} from './programs.ts'

const LIST = '/api/programs/{programId}/api-keys'

/** API keys of a program. Only the response that creates one contains it. */
export const API_KEYS = operations({
  create: {
    method: 'post',
    path: LIST,
    permission: 'key:manage',
    summary: 'Create an API key',
    description:
      'The response is the only place that shows the whole key. A program can have several active keys, so you can rotate without downtime.',
    request: createApiKeyRequest,
    example: { name: 'Shop server' },
    bodyIsOptional: true,
    status: 201,
    answer: createdApiKey,
  },
  list: {
    method: 'get',
    path: LIST,
    permission: 'key:manage',
    summary: 'List API keys',
    description: "Lists a program's keys, masked, with the time each was last used.",
    query: apiKeysQuery,
    list: apiKey,
  },
  revoke: {
    method: 'delete',
    path: `${LIST}/{keyId}`,
    permission: 'key:manage',
    summary: 'Revoke an API key',
    description: 'Calls with the key are rejected within two seconds.',
    answer: apiKey,
  },
  rotate: {
    method: 'post',
    path: `${LIST}/{keyId}/rotate`,
    permission: 'key:manage',
    summary: 'Rotate an API key',
    description: 'Creates a new key and revokes the old one after `graceMinutes`.',
    request: rotateApiKeyRequest,
    example: { graceMinutes: 60 },
    bodyIsOptional: true,
    status: 201,
    answer: rotatedApiKey,
    errors: ['conflict'],
  },
})
