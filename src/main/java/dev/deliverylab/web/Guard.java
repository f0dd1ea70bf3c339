package dev.deliverylab.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps other people's pages out. A page that rebinds its name to 127.0.0.1 looks same-origin to a
 * browser, so the Host header is checked on every request; a changing request must not come from
 * another site's page.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class Guard extends OncePerRequestFilter {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final String POLICY = policy("");

  /**
   * The logo of Swagger's page carries one style element. It is allowed by its hash, which a newer
   * Swagger may change; the test that opens the page in a browser would tell.
   */
  private static final String SWAGGER_POLICY =
      policy(" 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='");

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

  private final List<String> allowedHosts;

  Guard(@Value("${lab.allowed-hosts:}") List<String> allowedHosts) {
    this.allowedHosts =
        allowedHosts.stream().map(host -> host.strip().toLowerCase(Locale.ROOT)).toList();
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean swagger = request.getRequestURI().startsWith("/swagger-ui/");
    response.setHeader("Content-Security-Policy", swagger ? SWAGGER_POLICY : POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    String host = request.getHeader("Host");
    if (!isAllowed(host)) {
      Problems.write(
          response,
          403,
          "Wrong host",
          "This lab answers to localhost and 127.0.0.1. Set lab.allowed-hosts to add a name.");
      return;
    }
    if (!READING.contains(request.getMethod())) {
      String site = request.getHeader("Sec-Fetch-Site");
      String origin = request.getHeader("Origin");
      boolean foreignSite = site != null && !site.equals("same-origin") && !site.equals("none");
      if (foreignSite || (origin != null && !sameOrigin(origin, host))) {
        Problems.write(
            response,
            403,
            "Foreign page",
            "A page of another site may not change anything here. Use the lab's own pages, or curl.");
        return;
      }
    }
    chain.doFilter(request, response);
  }

  private static String policy(String moreStyles) {
    return "default-src 'none'; script-src 'self'; style-src 'self'"
        + moreStyles
        + "; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self';"
        + " base-uri 'none'; frame-ancestors 'none'";
  }

  private boolean isAllowed(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String name = nameOf(host.toLowerCase(Locale.ROOT));
    return LOOPBACK.contains(name) || allowedHosts.contains(name);
  }

  private static String nameOf(String host) {
    return PORT.matcher(host).replaceFirst("");
  }

  private static boolean sameOrigin(String origin, @Nullable String host) {
    try {
      String authority = new URI(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
