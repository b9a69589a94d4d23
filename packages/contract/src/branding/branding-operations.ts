import { z } from 'zod'
import { answerOf, listOf, optionalPageQuery } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import {
  acceptAgreementRequest,
  agreement,
  agreementRequest,
  agreementStatus,
  branding,
  brandingRequest,
  changeResourceRequest,
  portalAgreement,
  removedResource,
  resource,
  resourceFileQuery,
  resourceTextRequest,
} from './branding.ts'
import { LOGO_TYPES, RESOURCE_TYPES } from './branding-limits.ts'

const PROGRAM_PATH = '/api/programs/{programId}'
const PORTAL_PATH = '/api/portal/programs/{programId}'
const read = { method: 'get', caller: 'session', permission: 'program:read' } as const
const change = { caller: 'session', permission: 'program:update' } as const
const uploadErrors = ['invalid_request', 'payload_too_large', ...programErrors] as const
const fileAnswer = z.string().describe('The bytes of the file, as an attachment')

/** How a program presents itself to partners. */
export const BRANDING_OPERATIONS: Operation[] = [
  {
    ...read,
    path: `${PROGRAM_PATH}/branding`,
    summary: 'Get the branding',
    description: 'Returns the name, description, color, support address and logo that partners see.',
    answers: [answerOf(branding)],
    refusals: programErrors,
  },
  {
    ...change,
    method: 'put',
    path: `${PROGRAM_PATH}/branding`,
    summary: 'Set the branding',
    description:
      'Sets what partners see in the portal, on the application and invitation pages and in emails. Fields that you leave out are reset; the logo stays.',
    request: brandingRequest,
    answers: [answerOf(branding)],
    refusals: [...bodyErrors, ...programErrors],
  },
  {
    ...change,
    method: 'put',
    path: `${PROGRAM_PATH}/branding/logo`,
    summary: 'Upload the logo',
    description: 'Send the image as the body: PNG, JPEG or WebP, at most 256 KiB and 2048 pixels wide and high.',
    file: LOGO_TYPES,
    answers: [answerOf(branding)],
    refusals: [...uploadErrors],
  },
  {
    ...change,
    method: 'delete',
    path: `${PROGRAM_PATH}/branding/logo`,
    summary: 'Remove the logo',
    description: 'Partners see the default logo again.',
    answers: [answerOf(branding)],
    refusals: programErrors,
  },
  {
    method: 'get',
    path: '/api/public/programs/{programId}/logo/{hash}',
    caller: 'public',
    summary: 'Get the logo',
    description: 'Returns the image at `logoUrl`, which can be cached forever.',
    answers: [z.string().describe('The bytes of the image')],
    refusals: ['not_found', 'program_not_found'],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/agreement`,
    summary: 'Get the program agreement',
    description: 'Returns the legal text that partners accept, and how many have accepted it.',
    answers: [answerOf(agreementStatus)],
    refusals: programErrors,
  },
  {
    ...change,
    method: 'put',
    path: `${PROGRAM_PATH}/agreement`,
    summary: 'Set the program agreement',
    description:
      'A changed text is a new version. Applicants and invited partners accept it before they join; the portal asks all others.',
    request: agreementRequest,
    answers: [answerOf(agreementStatus)],
    refusals: [...bodyErrors, ...programErrors],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/resources`,
    summary: 'List resources',
    description: 'Lists the files and texts for partners, oldest first.',
    query: optionalPageQuery,
    answers: [listOf(resource)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    ...change,
    method: 'post',
    path: `${PROGRAM_PATH}/resources/texts`,
    summary: 'Add a text',
    description: 'Adds a text that partners can copy. A program has at most 50 resources.',
    request: resourceTextRequest,
    status: 201,
    answers: [answerOf(resource)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  {
    ...change,
    method: 'post',
    path: `${PROGRAM_PATH}/resources/files`,
    summary: 'Upload a file',
    description: `Send the file as the body, at most 5 MiB. Accepted extensions: ${Object.keys(RESOURCE_TYPES).join(', ')}.`,
    query: resourceFileQuery,
    file: ['application/octet-stream'],
    status: 201,
    answers: [answerOf(resource)],
    refusals: [...uploadErrors, 'conflict', 'overloaded'],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/resources/{resourceId}/file`,
    summary: 'Download a file',
    description: 'Returns an uploaded file as an attachment.',
    answers: [fileAnswer],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...change,
    method: 'patch',
    path: `${PROGRAM_PATH}/resources/{resourceId}`,
    summary: 'Update a resource',
    description: 'Changes the title of a resource, or the body of a text.',
    request: changeResourceRequest,
    answers: [answerOf(resource)],
    refusals: [...bodyErrors, ...programErrors, 'not_found'],
  },
  {
    ...change,
    method: 'delete',
    path: `${PROGRAM_PATH}/resources/{resourceId}`,
    summary: 'Remove a resource',
    description: 'Partners can no longer see or download it.',
    answers: [answerOf(removedResource)],
    refusals: [...programErrors, 'not_found'],
  },
  ...portalOperations(),
]

function portalOperations(): Operation[] {
  const read = { method: 'get', caller: 'partner' } as const
  return [
    {
      ...read,
      path: `${PORTAL_PATH}/agreement`,
      summary: 'Get the program agreement',
      description: 'Returns the agreement that is in force, or null.',
      answers: [answerOf(agreement.nullable())],
      refusals: programErrors,
    },
    {
      method: 'post',
      caller: 'partner',
      path: `${PORTAL_PATH}/agreement/accept`,
      summary: 'Accept the program agreement',
      description: 'Records that you accept a version. 409 if it is no longer the current one.',
      request: acceptAgreementRequest,
      answers: [answerOf(portalAgreement)],
      refusals: [...bodyErrors, ...programErrors, 'conflict'],
    },
    {
      ...read,
      path: `${PORTAL_PATH}/resources`,
      summary: 'List resources',
      description: 'Lists the files and texts that the program offers, with your link and code filled in.',
      query: optionalPageQuery,
      answers: [listOf(resource)],
      refusals: ['invalid_request', ...programErrors],
    },
    {
      ...read,
      path: `${PORTAL_PATH}/resources/{resourceId}/file`,
      summary: 'Download a file',
      description: 'Returns a file as an attachment. 403 until the program has approved you.',
      answers: [fileAnswer],
      refusals: [...programErrors, 'not_found'],
    },
  ]
}
