// Whether arguments fit a tool's input schema: the flat keywords that these schemas use, and none silently.
const KNOWN = new Set(['type', 'properties', 'required', 'additionalProperties', 'enum', 'const', 'minimum', 'maximum',
  'minLength', 'maxLength', 'minItems', 'maxItems', 'items', 'description', 'default']);

const KINDS = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  null: (value) => value === null,
};

// What is wrong, as sentences; none: it fits.
export function* misfits(schema, value, where = '') {
  for (const keyword of Object.keys(schema)) if (!KNOWN.has(keyword)) yield `${where}: unknown keyword ${keyword}`;
  const kinds = [schema.type ?? []].flat();
  if (kinds.length > 0 && !kinds.some((kind) => KINDS[kind](value))) yield `${where}: not ${kinds.join(' or ')}`;
  if (schema.enum && !schema.enum.includes(value)) yield `${where}: none of ${schema.enum}`;
  if ('const' in schema && schema.const !== value) yield `${where}: not ${schema.const}`;
  if (typeof value === 'number' && (value < schema.minimum || value > schema.maximum)) yield `${where}: out of range`;
  const size = Array.isArray(value) || typeof value === 'string' ? value.length : 0;
  if (size < (schema.minItems ?? schema.minLength ?? 0)) yield `${where}: too short`;
  if (size > (schema.maxItems ?? schema.maxLength ?? Infinity)) yield `${where}: too long`;
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* misfits(schema.items ?? {}, item, `${where}/${i}`);
  if (!KINDS.object(value)) return;
  for (const name of schema.required ?? []) if (!(name in value)) yield `${where}: lacks ${name}`;
  for (const [name, inner] of Object.entries(value)) {
    const property = schema.properties?.[name];
    if (property) yield* misfits(property, inner, `${where}/${name}`);
    else if (schema.additionalProperties === false) yield `${where}: has no ${name}`;
  }
}
