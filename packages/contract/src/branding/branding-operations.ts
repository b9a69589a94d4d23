import { z } from 'zod'
import { optionalPageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
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
import { LOGO_TYPES, MAX_LOGO_BYTES, MAX_RESOURCE_BYTES, RESOURCE_TYPES } from './branding-limits.ts'

const BRAND = '/api/programs/{programId}/branding'
const LOGO_FILE = `${BRAND}/logo` as const

/** What partners see of a program. */
export const BRANDING = operations({
  get: {
    method: 'get',
    path: BRAND,
    permission: 'program:read',
    summary: 'Get the branding',
    description: 'Returns the name, description, color, support address and logo that partners see.',
    answer: branding,
  },
  set: {
    method: 'put',
    path: BRAND,
    permission: 'program:update',
    summary: 'Set the branding',
    description:
      'Sets what partners see in the portal, on the application and invitation pages and in emails. Fields that you leave out are reset; the logo stays.',
    request: brandingRequest,
    example: {
      displayName: 'Acme partners',
      description: 'Recommend Acme and earn 20%.',
      accentColor: '#0e7490',
      supportEmail: 'partners@acme.example',
    },
    answer: branding,
  },
  setLogo: {
    method: 'put',
    path: LOGO_FILE,
    permission: 'program:update',
    summary: 'Upload the logo',
    description: 'Send the image as the body: PNG, JPEG or WebP, at most 256 KiB and 2048 pixels wide and high.',
    upload: { types: LOGO_TYPES, maxBytes: MAX_LOGO_BYTES },
    answer: branding,
  },
  removeLogo: {
    method: 'delete',
    path: LOGO_FILE,
    permission: 'program:update',
    summary: 'Remove the logo',
    description: 'Partners see the default logo again.',
    answer: branding,
  },
})

export const LOGO = operations({
  get: {
    method: 'get',
    path: '/api/public/programs/{programId}/logo/{hash}',
    caller: 'public',
    limit: 'visitor',
    summary: 'Get the logo',
    description: 'Returns the image at `logoUrl`, which can be cached forever.',
    response: z.string().describe('The bytes of the image'),
    file: true,
    errors: ['program_not_found'],
  },
})

const LEGAL_TEXT = '/api/programs/{programId}/agreement'

/** The legal text that partners accept. */
export const AGREEMENT = operations({
  get: {
    method: 'get',
    path: LEGAL_TEXT,
    permission: 'program:read',
    summary: 'Get the program agreement',
    description: 'Returns the legal text that partners accept, and how many have accepted it.',
    answer: agreementStatus,
  },
  set: {
    method: 'put',
    path: LEGAL_TEXT,
    permission: 'program:update',
    summary: 'Set the program agreement',
    description:
      'A changed text is a new version. Applicants and invited partners accept it before they join; the portal asks all others.',
    request: agreementRequest,
    example: { text: '# Partner agreement\n\n- No ads on our brand name.' },
    answer: agreementStatus,
  },
})

const LIST = '/api/programs/{programId}/resources'
const ONE = `${LIST}/{resourceId}` as const
const fileBytes = z.string().describe('The bytes of the file, as an attachment')

/** Files and texts for partners. */
export const RESOURCES = operations({
  list: {
    method: 'get',
    path: LIST,
    permission: 'program:read',
    summary: 'List resources',
    description: 'Lists the files and texts for partners, oldest first.',
    query: optionalPageQuery,
    list: resource,
  },
  addText: {
    method: 'post',
    path: `${LIST}/texts`,
    permission: 'program:update',
    summary: 'Add a text',
    description: 'Adds a text that partners can copy. A program has at most 50 resources.',
    request: resourceTextRequest,
    example: { title: 'Short post', body: 'I use Acme every day: {link}' },
    status: 201,
    answer: resource,
    errors: ['conflict'],
  },
  addFile: {
    method: 'post',
    path: `${LIST}/files`,
    permission: 'program:update',
    summary: 'Upload a file',
    description: `Send the file as the body, at most 5 MiB. Accepted extensions: ${Object.keys(RESOURCE_TYPES).join(', ')}.`,
    query: resourceFileQuery,
    upload: { types: ['application/octet-stream'], maxBytes: MAX_RESOURCE_BYTES },
    status: 201,
    answer: resource,
    errors: ['conflict', 'overloaded'],
  },
  file: {
    method: 'get',
    path: `${ONE}/file`,
    permission: 'program:read',
    summary: 'Download a file',
    description: 'Returns an uploaded file as an attachment.',
    response: fileBytes,
    file: true,
  },
  change: {
    method: 'patch',
    path: ONE,
    permission: 'program:update',
    summary: 'Update a resource',
    description: 'Changes the title of a resource, or the body of a text.',
    request: changeResourceRequest,
    example: { title: 'Launch post' },
    answer: resource,
  },
  remove: {
    method: 'delete',
    path: ONE,
    permission: 'program:update',
    summary: 'Remove a resource',
    description: 'Partners can no longer see or download it.',
    answer: removedResource,
  },
})

/** The agreement, for partners to read and accept. */
export const PORTAL_AGREEMENT = operations({
  get: {
    method: 'get',
    path: '/api/portal/programs/{programId}/agreement',
    caller: 'partner',
    summary: 'Get the program agreement',
    description: 'Returns the agreement that is in force, or null.',
    answer: agreement.nullable(),
  },
  accept: {
    method: 'post',
    path: '/api/portal/programs/{programId}/agreement/accept',
    caller: 'partner',
    summary: 'Accept the program agreement',
    description: 'Records that you accept a version. 409 if it is no longer the current one.',
    request: acceptAgreementRequest,
    example: { version: 1 },
    answer: portalAgreement,
    errors: ['conflict'],
  },
})

/** The files and texts that the program offers a partner. */
export const PORTAL_RESOURCES = operations({
  list: {
    method: 'get',
    path: '/api/portal/programs/{programId}/resources',
    caller: 'partner',
    summary: 'List resources',
    description: 'Lists the files and texts that the program offers, with your link and code filled in.',
    query: optionalPageQuery,
    list: resource,
  },
  file: {
    method: 'get',
    path: '/api/portal/programs/{programId}/resources/{resourceId}/file',
    caller: 'partner',
    summary: 'Download a file',
    description: 'Returns a file as an attachment. 403 until the program has approved you.',
    response: fileBytes,
    file: true,
  },
})
