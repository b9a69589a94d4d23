import { expect } from 'bun:test'
import { givenUser, givenWorkspace, unique } from '../support/given.ts'
import type { TestService } from '../support/service.ts'

/** A user with a workspace, and programs, partners and links created through the dashboard API. */
export const givenDashboard = async (service: TestService) => {
  const owner = await givenUser(service)
  const workspaceId = await givenWorkspace(owner)

  const givenProgram = async (settings: object = {}) => {
    const { status, body } = await owner.call('POST', '/api/programs', {
      workspaceId,
      name: unique('Program'),
      ...settings,
    })
    expect(status).toBe(201)
    return body.data as { id: number; name: string }
  }
  const givenPartner = async (programId: number, fields: object = {}) =>
    // Tests create the links they need.
    (
      await owner.call('POST', `/api/programs/${programId}/partners`, {
        name: unique('Partner'),
        createLink: false,
        ...fields,
      })
    ).body.data
  const givenLink = async (programId: number, partnerId: number, fields: object = {}) =>
    (await owner.call('POST', `/api/programs/${programId}/links`, { partnerId, ...fields })).body.data

  return { owner, workspaceId, givenProgram, givenPartner, givenLink }
}
