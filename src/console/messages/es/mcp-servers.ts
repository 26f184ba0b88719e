import type { mcpServerTexts as english } from '../mcp-servers.ts';
import type { Translation } from '../translation.ts';

export const mcpServerTexts = {
  mcpServers: {
    title: 'Servidores MCP',
    lead: 'Servidores del Model Context Protocol. Elige cuáles de sus herramientas pueden llamar tus agentes.',
    emptyTitle: 'Aún no hay servidores MCP',
    emptyText: 'Agrega uno y elige las herramientas que los agentes pueden llamar.',
    add: 'Agregar servidor MCP',
    addLead: 'Los agentes no pueden llamar a ninguna de sus herramientas hasta que las elijas.',
    save: 'Guardar servidor',
    saved: 'Servidor MCP guardado',
    name: 'Nombre',
    nameHelp:
      'Letras minúsculas y dígitos. Los nombres de sus herramientas empiezan con él. No se puede cambiar después.',
    url: 'Dirección',
    urlHelp: 'Por ejemplo, https://mcp.example.com/mcp. Debe ser pública y no se puede cambiar después.',
    header: 'Encabezado',
    headerHelp:
      'Por ejemplo, Authorization. Déjalo vacío si el servidor no necesita ninguno o si después vas a iniciar sesión en él.',
    headerValue: 'Valor del encabezado',
    valueKept: 'Guardado. Déjalo vacío para conservarlo.',
    valueMissing: 'Ingresa el valor del encabezado.',
    headerMissing: 'Ingresa el nombre del encabezado.',
    noHeader: 'Parley lo llama sin encabezado. Si necesita uno, quita el servidor y agrégalo de nuevo.',
    byOAuth:
      'Parley inicia sesión en este servidor con OAuth. Para usar un encabezado, quita el servidor y agrégalo de nuevo.',
    needsSignIn: 'Los agentes no pueden usar este servidor hasta que inicies sesión en él.',
    needsSignInAgain:
      'El servidor ya no acepta el acceso que le diste a Parley. Los agentes no pueden usarlo hasta que vuelvas a iniciar sesión.',
    signedIn: (issuer: string) => `Sesión iniciada en ${issuer}`,
    signIn: 'Iniciar sesión en el servidor',
    signInTitle: (name: string) => `Iniciar sesión en ${name}`,
    signInLead: 'Parley le pregunta al servidor dónde debes iniciar sesión y se registra allí.',
    byHand: 'Usar un cliente que registré yo',
    redirectUri: 'URI de redirección del cliente',
    copyRedirectUri: 'Copiar URI de redirección',
    clientId: 'ID del cliente',
    clientSecret: 'Secreto del cliente',
    clientSecretHelp: 'Déjalo vacío si el cliente no tiene.',
    clientSecretKept: 'Déjalo vacío para conservar el secreto de este cliente, si lo tiene.',
    issuer: 'Servidor de autorización',
    issuerHelp:
      'Donde registraste el cliente, por ejemplo https://auth.example.com. Su secreto no se envía a ningún otro lugar.',
    signInNext: 'Buscar la página de inicio de sesión',
    signInGo: (host: string) => `Continuar a ${host}`,
    signInCheck: (host: string, server: string) =>
      `Vas a iniciar sesión en ${host}. Continúa solo si conoces esta dirección. Parley usa el acceso únicamente para ${server}.`,
    signInOutcomes: {
      signed_in: 'Sesión iniciada en el servidor MCP',
      denied: 'Sesión no iniciada: el servidor denegó el acceso.',
      expired: 'Sesión no iniciada: este intento venció o empezó en otra sesión. Empieza de nuevo.',
      not_allowed: 'Sesión no iniciada: tu rol ya no permite administrar herramientas.',
      busy: 'Sesión no iniciada: hay demasiados intentos en curso. Empieza de nuevo.',
      other: 'Sesión no iniciada: el servidor de autorización no dio una respuesta válida. Empieza de nuevo.',
    },
    timeout: 'Tiempo límite en segundos',
    timeoutHelp: 'De 1 a 60, por llamada',
    maxChars: 'Máximo de caracteres de un resultado',
    maxCharsHelp: 'El modelo lee solo hasta este tamaño del resultado; el resto se corta.',
    edit: (name: string) => `Editar ${name}`,
    editButton: 'Editar',
    needsHeader:
      'El encabezado guardado ya no se puede descifrar. Edita el servidor e ingresa el encabezado de nuevo.',
    remove: (name: string) => ({
      label: 'Quitar',
      title: `¿Quitar ${name}?`,
      action: 'Quitar servidor',
      text: 'Parley elimina sus credenciales y sus herramientas. Primero quita esas herramientas de tus agentes.',
      done: 'Se quitó el servidor MCP',
    }),
    tools: (name: string) => `Herramientas de ${name}`,
    noTools: 'Los agentes aún no pueden llamar a ninguna de sus herramientas.',
    columns: { name: 'Herramienta', effect: 'Efecto', use: 'Uso' },
    changed: 'Modificada',
    changedHelp:
      'El servidor ahora la describe de otra forma. Los agentes no pueden llamarla hasta que aceptes el cambio.',
    review: 'Revisar cambio',
    gone: 'Ya no existe',
    goneHelp: 'El servidor ya no la tiene.',
    choose: 'Elegir herramientas',
    chooseTitle: (name: string) => `Elegir herramientas de ${name}`,
    chooseLead:
      'Estas son las herramientas que el servidor tiene ahora. Los agentes reciben exactamente las descripciones que ves aquí, hasta que aceptes otras.',
    chooseNone: 'El servidor no tiene herramientas.',
    saveTools: (count: number) =>
      count === 0
        ? 'Guardar sin herramientas'
        : `Guardar ${String(count)} ${count === 1 ? 'herramienta' : 'herramientas'}`,
    toolsSaved: 'Herramientas guardadas',
    cannot: (problem: string) => `No se puede usar. ${problem}`,
    effectOf: (tool: string) => `Efecto de ${tool}`,
    saysReads: 'El servidor dice que solo lee.',
    saysDestroys: 'El servidor dice que puede eliminar datos.',
    accept: (tool: string) => `Aceptar el cambio de ${tool}`,
    changeOf: (tool: string) => `Cambio de ${tool}`,
    schema: 'Argumentos',
    search: 'Buscar una herramienta',
    noneFound: 'Ninguna herramienta tiene esto en su nombre o descripción.',
    readAgain: 'Leer de nuevo',
    reading: 'Leyendo…',
  },
} satisfies Translation<typeof english>;
