import type { JsonObject } from '../../kernel/json.ts'
import type { Provenance, ProvenanceLink, ProvenanceNode } from './provenance.ts'

/** Jobs are activities; all else are entities. */
function isActivity(name: string): boolean {
  return name.startsWith('jobs/')
}

/** The history of a record as PROV-JSON (W3C Member Submission of 24 April 2013); names are below `base`, the address of the API. */
export function provJson({ nodes, links }: Provenance, base: string): JsonObject {
  const named = nodes.map((node) => [`quarry:${node.collection}/${node._id}`, node] as const)
  const activities = named.filter(([, { collection }]) => collection === 'jobs')
  const entities = named.filter(([, { collection }]) => collection !== 'jobs')
  const creators = [...new Set(nodes.flatMap(({ creator }) => creator ?? []))]
  return {
    prefix: { quarry: `${base}/`, users: `${base}/users/` },
    entity: Object.fromEntries(entities.map(([name, node]) => [name, described(node)])),
    activity: Object.fromEntries(activities.map(([name, node]) => [name, described(node)])),
    agent: Object.fromEntries(creators.map((slug) => [`users:${slug}`, { 'prov:type': 'prov:Person' }])),
    wasAttributedTo: numbered(
      'attribution',
      entities.flatMap(([name, { creator }]) =>
        creator === null ? [] : [{ 'prov:entity': name, 'prov:agent': `users:${creator}` }],
      ),
    ),
    used: numbered(
      'use',
      links.filter(isUse).map(({ from, to }) => ({ 'prov:activity': `quarry:${from}`, 'prov:entity': `quarry:${to}` })),
    ),
    wasGeneratedBy: numbered(
      'generation',
      links.filter(isGeneration).map(({ from, to, parameters }) => ({
        'prov:entity': `quarry:${from}`,
        'prov:activity': `quarry:${to}`,
        ...(parameters?.['file'] === undefined ? {} : { 'quarry:file': parameters['file'] }),
      })),
    ),
    wasDerivedFrom: numbered('derivation', links.filter((link) => !isUse(link) && !isGeneration(link)).map(derivation)),
  }
}

function isUse({ from, to }: ProvenanceLink): boolean {
  return isActivity(from) && !isActivity(to)
}

function isGeneration({ from, to }: ProvenanceLink): boolean {
  return !isActivity(from) && isActivity(to)
}

function derivation({ from, to, how, parameters, jobId }: ProvenanceLink): JsonObject {
  return {
    'prov:generatedEntity': `quarry:${from}`,
    'prov:usedEntity': `quarry:${to}`,
    'quarry:how': how,
    ...(parameters === undefined ? {} : { 'quarry:parameters': JSON.stringify(parameters) }),
    ...(jobId === undefined ? {} : { 'prov:activity': `quarry:jobs/${jobId}` }),
  }
}

function described({ name, createdAt }: ProvenanceNode): JsonObject {
  return {
    ...(name === null ? {} : { 'prov:label': name }),
    ...(createdAt === null ? {} : { 'quarry:createdAt': createdAt }),
  }
}

function numbered(what: string, relations: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(relations.map((relation, at) => [`_:${what}${at + 1}`, relation]))
}
