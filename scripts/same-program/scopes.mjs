// Which declaration each identifier of a module means, by the scopes of JavaScript. Names are only used to find it: two programs are
// compared by the declarations, so a name that a nearer declaration captures is seen.

/** Fields of a node that say nothing about the program; `shorthand` follows from the names of key and value. */
const IGNORED = new Set(['type', 'start', 'end', 'loc', 'range', 'shorthand'])

export const fieldsOf = node => Object.keys(node).filter(field => !IGNORED.has(field))

const isNode = value => typeof value === 'object' && value !== null && typeof value.type === 'string'

const childrenOf = node =>
  fieldsOf(node).flatMap(field => [node[field]].flat().flatMap(child => (isNode(child) ? [{ child, field }] : [])))

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const BLOCKS = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
  'ClassExpression',
])
const WITH_KEY = new Set(['Property', 'PropertyDefinition', 'MethodDefinition', 'AccessorProperty'])
const WITH_LABEL = new Set(['LabeledStatement', 'BreakStatement', 'ContinueStatement'])

/** Whether an identifier in this place names a property, a label or `import.meta` rather than a variable. */
export function isPlainName(parent, field) {
  if (parent.type === 'MemberExpression') return field === 'property' && !parent.computed
  if (WITH_KEY.has(parent.type)) return field === 'key' && !parent.computed
  return parent.type === 'MetaProperty' || WITH_LABEL.has(parent.type)
}

/** The identifiers that a pattern declares, in their order. */
export function declaredBy(pattern) {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [pattern]
  if (pattern.type === 'ObjectPattern') return pattern.properties.flatMap(one => declaredBy(one.value ?? one.argument))
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(declaredBy)
  if (pattern.type === 'AssignmentPattern') return declaredBy(pattern.left)
  if (pattern.type === 'RestElement') return declaredBy(pattern.argument)
  return []
}

/** The identifiers that a statement declares in the block it stands in; `var` belongs to the function. */
function declaredIn(statement) {
  if (statement.type === 'VariableDeclaration')
    return statement.kind === 'var' ? [] : statement.declarations.flatMap(({ id }) => declaredBy(id))
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') return declaredBy(statement.id)
  return []
}

/** Every `var` below a node that belongs to the same function. */
function varsBelow(node) {
  if (node.type === 'VariableDeclaration' && node.kind === 'var')
    return [...node.declarations.flatMap(({ id }) => declaredBy(id)), ...varsInChildren(node)]
  return FUNCTIONS.has(node.type) || node.type === 'StaticBlock' ? [] : varsInChildren(node)
}
const varsInChildren = node => childrenOf(node).flatMap(({ child }) => varsBelow(child))

class Scope {
  names = new Map()

  constructor(outer, module) {
    this.outer = outer
    this.module = module ?? outer.module
  }

  declare(identifiers) {
    for (const { name } of identifiers)
      if (!this.names.has(name)) this.names.set(name, { name, module: this.module, isTop: !this.outer })
  }

  find(name) {
    return this.names.get(name) ?? this.outer?.find(name)
  }
}

/** The statements or heads that a block declares names in. */
function headsOf(node) {
  if (node.type === 'SwitchStatement') return node.cases.flatMap(({ consequent }) => consequent)
  if (node.type === 'BlockStatement' || node.type === 'StaticBlock') return node.body
  return [node.init ?? node.left].filter(isNode)
}

function scopeOfBlock(node, outer) {
  const scope = new Scope(outer)
  if (node.type === 'ClassExpression') scope.declare(declaredBy(node.id))
  else if (node.type === 'CatchClause') scope.declare(declaredBy(node.param))
  else scope.declare(headsOf(node).flatMap(declaredIn))
  if (node.type === 'StaticBlock') scope.declare(node.body.flatMap(varsBelow))
  return scope
}

/** Identifier node → its declaration, for a whole module. An identifier that is not in the map is a global. */
export function bindIdentifiers(statements, imported, module) {
  const bindings = new Map()
  const top = new Scope(undefined, module)
  for (const one of imported) top.names.set(one.name, one)
  top.declare([...statements.flatMap(declaredIn), ...statements.flatMap(varsBelow)])

  const visit = (node, scope) => {
    if (node.type === 'Identifier') {
      const binding = scope.find(node.name)
      if (binding) bindings.set(node, binding)
    } else if (FUNCTIONS.has(node.type)) visitFunction(node, scope)
    else visitChildren(node, BLOCKS.has(node.type) ? scopeOfBlock(node, scope) : scope)
  }
  const visitChildren = (node, scope) => {
    for (const { child, field } of childrenOf(node)) if (!isPlainName(node, field)) visit(child, scope)
  }
  const visitFunction = (node, outer) => {
    const named = new Scope(outer)
    if (node.type === 'FunctionExpression') named.declare(declaredBy(node.id))
    const scope = new Scope(named)
    scope.declare(node.params.flatMap(declaredBy))
    if (node.id) visit(node.id, node.type === 'FunctionExpression' ? named : outer)
    for (const param of node.params) visit(param, scope)
    // a `var` named as a parameter is that parameter; parameters cannot see the other variables of the body
    const body = new Scope(scope)
    body.declare(varsBelow(node.body).filter(({ name }) => !scope.names.has(name)))
    visit(node.body, body)
  }
  for (const statement of statements) visit(statement, top)
  return { bindings, top }
}
