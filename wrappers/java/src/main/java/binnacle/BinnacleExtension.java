package binnacle;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a parameter of type {@link Server}: one server for all tests of the run, which ends with it. Tests that
 * share it use namespaces of their own; those that need one for themselves create a {@link Server}.
 */
public final class BinnacleExtension implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(BinnacleExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Server.class;
  }

  @Override
  public Server resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // The store closes what it has when the run ends.
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Server.class, key -> new Server(), Server.class);
  }
}
